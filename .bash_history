A=blue; cd /usr
echo $A $PWD
sleep 100
